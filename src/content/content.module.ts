import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ResourcesModule } from '../resources/resources.module.js';
import { Customer } from './customer.entity.js';
import { CustomersController } from './customers.controller.js';
import { Document } from './document.entity.js';
import { DocumentsController } from './documents.controller.js';
import { Faq } from './faq.entity.js';
import { FaqsController } from './faqs.controller.js';
import { News } from './news.entity.js';
import { NewsController } from './news.controller.js';

/** Documents, news, faqs, customers. */
@Module({
  imports: [TypeOrmModule.forFeature([Document, News, Faq, Customer]), ResourcesModule],
  controllers: [DocumentsController, NewsController, FaqsController, CustomersController],
})
export class ContentModule {}
