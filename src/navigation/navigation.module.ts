import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DirectoryModule } from '../directory/directory.module.js';
import { User } from '../directory/user.entity.js';
import { JournalModule } from '../journal/journal.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { WorkplaceFavouritesController } from './workplace-favourites.controller.js';
import { Favourite } from './favourite.entity.js';
import { FavouritesController } from './favourites.controller.js';
import { FavouritesService } from './favourites.service.js';
import { NavigationMemory } from './memory/navigation-memory.js';
import { NavigationPhotoController } from './navigation-photo.controller.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';
import { WorkplaceOverviewService } from './workplace-overview.service.js';
import { WorkplaceController } from './workplace.controller.js';
import { WorkplaceService } from './workplace.service.js';

/** The portal's data: categories, tiles, indicators, favourites, pictures, and previews with reasons. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Favourite, User]),
    DirectoryModule,
    JournalModule,
    ResourcesModule,
    SecurityModule,
  ],
  controllers: [
    WorkplaceController,
    NavigationPhotoController,
    FavouritesController,
    WorkplaceFavouritesController,
    PreviewController,
  ],
  providers: [
    WorkplaceService,
    WorkplaceOverviewService,
    FavouritesService,
    NavigationMemory,
    PreviewService,
  ],
  exports: [NavigationMemory],
})
export class NavigationModule {}
