var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Application } from './application.entity.js';
import { ApplicationsController } from './applications.controller.js';
import { CategoriesController } from './categories.controller.js';
import { Category } from './category.entity.js';
import { Task } from './task.entity.js';
import { TasksController } from './tasks.controller.js';
import { View } from './view.entity.js';
import { ViewsController } from './views.controller.js';
/** Categories, applications, their tasks and views. */
let ProcessModule = class ProcessModule {
};
ProcessModule = __decorate([
    Module({
        imports: [TypeOrmModule.forFeature([Category, Application, Task, View])],
        controllers: [CategoriesController, ApplicationsController, TasksController, ViewsController],
    })
], ProcessModule);
export { ProcessModule };
//# sourceMappingURL=process.module.js.map