import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource.controller.js';
import { sources } from './source.resource.js';

/** Administrators write sources. */
@Controller('api/v2/process/sources')
export class SourcesController extends resourceController(sources) {}
