import { Controller } from '@nestjs/common';
import { resourceController } from '../../resources/http/resource.controller.js';
import { categories } from './category.resource.js';

@Controller('api/v2/navigation/categories')
export class CategoriesController extends resourceController(categories) {}
