import { tryRecipe } from './recipe.js';
import { RECIPES } from './recipes.js';

tryRecipe(RECIPES.javaNative);
tryRecipe(RECIPES.okhttp);
