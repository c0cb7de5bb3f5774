import { Global, Module } from '@nestjs/common';
import { ResourceReader } from './resource-reader.js';

/** The machine that serves every resource from its attribute table. */
@Global()
@Module({ providers: [ResourceReader], exports: [ResourceReader] })
export class ResourcesModule {}
