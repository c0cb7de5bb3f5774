import { Module } from '@nestjs/common';
import { ProcessModule } from '../process/process.module.js';
import { PhotoController } from './photo.controller.js';
import { WorkplaceController } from './workplace.controller.js';
import { WorkplaceService } from './workplace.service.js';

/** What a portal shows: categories, tiles, indicators, pictures. */
@Module({
  imports: [ProcessModule],
  controllers: [WorkplaceController, PhotoController],
  providers: [WorkplaceService],
})
export class NavigationModule {}
