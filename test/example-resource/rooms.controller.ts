import { Controller } from '@nestjs/common';
import { resourceController } from '../../src/resources/http/resource.controller.js';
import { rooms } from './room.resource.js';

@Controller('api/v2/directory/rooms')
export class RoomsController extends resourceController(rooms) {}
