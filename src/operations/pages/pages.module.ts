import { Module } from '@nestjs/common';
import { CredentialsModule } from '../../auth/credentials/credentials.module.js';
import { SecurityModule } from '../../security/security.module.js';
import { Pages } from './pages.js';

/** The pages for people, built from `web/`. */
@Module({ imports: [CredentialsModule, SecurityModule], providers: [Pages] })
export class PagesModule {}
