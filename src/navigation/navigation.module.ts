import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/directory.module.js';
import { NavigationPhotoController } from './photo.controller.js';
import { SnapshotService } from './snapshot.service.js';
import { WorkplaceController } from './workplace.controller.js';
import { WorkplaceService } from './workplace.service.js';

/** What a portal shows: categories, tiles, indicators, pictures. */
@Module({
  imports: [DirectoryModule],
  controllers: [WorkplaceController, NavigationPhotoController],
  providers: [WorkplaceService, SnapshotService],
})
export class NavigationModule {}
