import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/http/resource.controller.js';
import { news } from './news.resource.js';

@Controller('api/v2/content/news')
export class NewsController extends resourceController(news) {}
