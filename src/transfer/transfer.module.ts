import { Module } from '@nestjs/common';
import { SecurityModule } from '../security/security.module.js';
import { ImportsController } from './imports.controller.js';

/** Imports of files over HTTP. */
@Module({ imports: [SecurityModule], controllers: [ImportsController] })
export class TransferModule {}
