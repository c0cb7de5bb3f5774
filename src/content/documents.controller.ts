import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/http/resource.controller.js';
import { documents } from './document.resource.js';

@Controller('api/v2/content/documents')
export class DocumentsController extends resourceController(documents) {}
