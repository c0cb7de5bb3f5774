import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/directory.module.js';
import { FavouritesController } from './favourites.controller.js';
import { FavouritesService } from './favourites.service.js';
import { NavigationPhotoController } from './photo.controller.js';
import { SnapshotService } from './snapshot.service.js';
import { WorkplaceController } from './workplace.controller.js';
import { WorkplaceService } from './workplace.service.js';

/** What a portal shows: categories, tiles, indicators, favourites, pictures. */
@Module({
  imports: [DirectoryModule],
  controllers: [WorkplaceController, NavigationPhotoController, FavouritesController],
  providers: [WorkplaceService, SnapshotService, FavouritesService],
})
export class NavigationModule {}
