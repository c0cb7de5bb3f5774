import { Module } from '@nestjs/common';
import { SecurityModule } from '../security/security.module.js';
import { SearchController } from './search.controller.js';
import { SearchEngine } from './search-engine.js';
import { WorkplaceSearchController } from './workplace-search.controller.js';
import { WorkplaceSearchService } from './workplace-search.service.js';

/** Named searches, their envelope and markers, and the search over all of them. */
@Module({
  imports: [SecurityModule],
  controllers: [SearchController, WorkplaceSearchController],
  providers: [SearchEngine, WorkplaceSearchService],
})
export class SearchModule {}
