var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource-controller.js';
import { categories } from './category.resource.js';
let CategoriesController = class CategoriesController extends resourceController(categories) {
};
CategoriesController = __decorate([
    Controller('api/v2/navigation/categories')
], CategoriesController);
export { CategoriesController };
//# sourceMappingURL=categories.controller.js.map