var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
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
let NavigationModule = class NavigationModule {
};
NavigationModule = __decorate([
    Module({
        imports: [DirectoryModule],
        controllers: [
            WorkplaceController,
            NavigationPhotoController,
            FavouritesController,
            PreviewController,
        ],
        providers: [WorkplaceService, SnapshotService, FavouritesService, PreviewService],
    })
], NavigationModule);
export { NavigationModule };
//# sourceMappingURL=navigation.module.js.map