var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Customer } from './customer.entity.js';
import { CustomersController } from './customers.controller.js';
import { Document } from './document.entity.js';
import { DocumentsController } from './documents.controller.js';
import { Faq } from './faq.entity.js';
import { FaqsController } from './faqs.controller.js';
import { News } from './news.entity.js';
import { NewsController } from './news.controller.js';
/** Documents, news, faqs, customers. */
let ContentModule = class ContentModule {
};
ContentModule = __decorate([
    Module({
        imports: [TypeOrmModule.forFeature([Document, News, Faq, Customer])],
        controllers: [DocumentsController, NewsController, FaqsController, CustomersController],
    })
], ContentModule);
export { ContentModule };
//# sourceMappingURL=content.module.js.map