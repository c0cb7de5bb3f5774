import { Module } from '@nestjs/common';
import { Pages } from './pages.js';

/** The pages for people, built from `web/`. */
@Module({ providers: [Pages] })
export class PagesModule {}
