import { Module } from '@nestjs/common';
import { SecurityModule } from '../security/security.module.js';
import { ListSql } from './list/list-sql.js';
import { ResourceReader } from './resource-reader.js';
import { ResourceWriter } from './write/resource-writer.js';

/** The engine that serves every resource from its attribute table. */
@Module({
  imports: [SecurityModule],
  providers: [ListSql, ResourceReader, ResourceWriter],
  exports: [ResourceReader, ResourceWriter],
})
export class ResourcesModule {}
