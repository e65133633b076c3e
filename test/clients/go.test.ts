import { tryRecipe } from './recipe.js';
import { RECIPES } from './recipes.js';

tryRecipe(RECIPES.oapiCodegen);
tryRecipe(RECIPES.ogen);
