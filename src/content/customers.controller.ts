import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/http/resource.controller.js';
import { customers } from './customer.resource.js';

@Controller('api/v2/content/customers')
export class CustomersController extends resourceController(customers) {}
