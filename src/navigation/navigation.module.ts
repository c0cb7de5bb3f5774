import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/directory.module.js';
import { FavouritesController } from './favourites.controller.js';
import { FavouritesService } from './favourites.service.js';
import { NavigationPhotoController } from './photo.controller.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';
import { SnapshotService } from './snapshot.service.js';
import { WorkplaceController } from './workplace.controller.js';
import { WorkplaceService } from './workplace.service.js';

/** What a portal shows: categories, tiles, indicators, favourites, pictures; and why. */
@Module({
  imports: [DirectoryModule],
  controllers: [
    WorkplaceController,
    NavigationPhotoController,
    FavouritesController,
    PreviewController,
  ],
  providers: [WorkplaceService, SnapshotService, FavouritesService, PreviewService],
})
export class NavigationModule {}
