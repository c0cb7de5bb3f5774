import { Module, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { SecurityModule } from '../security/security.module.js';
import { connectLinks } from './connect-links.js';
import { ListSql } from './list/list-sql.js';
import { servedBy } from './http/resource.controller.js';
import { ResourceReader } from './resource-reader.js';
import { requireReservedWords } from './http/reserved-words.js';
import { ResourceWriter } from './write/resource-writer.js';

/** The engine that serves every resource from its attribute table. */
@Module({
  imports: [DiscoveryModule, SecurityModule],
  providers: [ListSql, ResourceReader, ResourceWriter],
  exports: [ResourceReader, ResourceWriter],
})
export class ResourcesModule implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * A link can point to every resource that a controller of the application serves.
   * @throws Error when a link names another one, or a name may be a word of a route
   */
  onModuleInit(): void {
    const controllers = this.discovery.getControllers().map(({ metatype }) => metatype as Type);
    connectLinks(servedBy(controllers));
    requireReservedWords(controllers);
  }
}
