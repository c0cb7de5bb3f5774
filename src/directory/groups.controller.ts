import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/http/resource.controller.js';
import { groups } from './group.resource.js';

@Controller('api/v2/directory/groups')
export class GroupsController extends resourceController(groups) {}
