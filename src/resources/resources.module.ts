import { Global, Module } from '@nestjs/common';
import { ResourceReader } from './resource-reader.js';
import { ResourceWriter } from './write/resource-writer.js';

/** The machine that serves every resource from its attribute table. */
@Global()
@Module({ providers: [ResourceReader, ResourceWriter], exports: [ResourceReader, ResourceWriter] })
export class ResourcesModule {}
