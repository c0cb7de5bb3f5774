import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/http/resource.controller.js';
import { faqs } from './faq.resource.js';

@Controller('api/v2/content/faqs')
export class FaqsController extends resourceController(faqs) {}
