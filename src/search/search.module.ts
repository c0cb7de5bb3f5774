import { Module } from '@nestjs/common';
import { SecurityModule } from '../security/security.module.js';
import { SearchController } from './search.controller.js';
import { SearchEngine } from './search-engine.js';

/** Named searches, their envelope and markers. */
@Module({
  imports: [SecurityModule],
  controllers: [SearchController],
  providers: [SearchEngine],
})
export class SearchModule {}
