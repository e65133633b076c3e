import { tryRecipe } from './recipe.js';
import { RECIPES } from './recipes.js';

tryRecipe(RECIPES.openapiFetch);
tryRecipe(RECIPES.heyApi);
