import { Module } from '@nestjs/common';
import { SearchController } from './search.controller.js';
import { SearchEngine } from './search-engine.js';

/** Named searches, their envelope and markers. */
@Module({ controllers: [SearchController], providers: [SearchEngine] })
export class SearchModule {}
