import { Module } from '@nestjs/common';
import { SecurityModule } from '../security/security.module.js';
import { SearchController } from './search.controller.js';
import { SearchEngine } from './search-engine.js';
import { SuggestionsController } from './suggestions.controller.js';
import { SuggestionsService } from './suggestions.service.js';
import { WorkplaceSearchController } from './workplace-search.controller.js';
import { WorkplaceSearchService } from './workplace-search.service.js';

/** Named searches, their envelope and markers, the search over all of them, and suggested names. */
@Module({
  imports: [SecurityModule],
  controllers: [SearchController, WorkplaceSearchController, SuggestionsController],
  providers: [SearchEngine, WorkplaceSearchService, SuggestionsService],
})
export class SearchModule {}
