import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, Reflector } from '@nestjs/core';
import { ROUTE_FACTS } from '../../http/route-facts.js';
import { NameAttribute } from '../attributes/name-attribute.js';
import type { Resource } from '../resource.js';
import { servedBy } from './resource.controller.js';

const reflector = new Reflector();
const scanner = new MetadataScanner();

/** The path templates of controllers, e.g. `/api/v2/directory/users/:id`. */
function pathsOf(controller: Type): string[] {
  const base = reflector.get<string>(PATH_METADATA, controller);
  const prototype = controller.prototype as Record<string, () => unknown>;
  return scanner.getAllMethodNames(prototype).flatMap((name) => {
    const path = reflector.get<string | undefined>(PATH_METADATA, prototype[name]!);
    return path === undefined ? [] : [`/${base}/${path}`.replace(/\/+/g, '/')];
  });
}

/** The literal segments in the place of a name, below the path of a resource. */
function wordsBelow({ ref }: Resource, paths: string[]): string[] {
  const prefix = `/api/v2${ref.uri}/`;
  const segments = paths.flatMap((path) =>
    path.startsWith(prefix) ? [path.slice(prefix.length).split(/[/{]/, 1)[0]!] : [],
  );
  return segments.filter((segment) => segment !== '' && !segment.startsWith(':'));
}

/**
 * Checks that the resources of these controllers reserve the literal segments of their routes as names. Otherwise one
 * path would mean two objects (docs/api-contract.md#names).
 * @throws Error naming a word that the attribute does not reserve
 */
export function requireReservedWords(controllers: Type[]): void {
  const paths = [...controllers.flatMap(pathsOf), ...ROUTE_FACTS.map(([, path]) => path)];
  for (const resource of servedBy(controllers))
    for (const attribute of resource.attributes.values())
      if (attribute instanceof NameAttribute)
        for (const word of wordsBelow(resource, paths))
          if (!attribute.words.has(word))
            throw new Error(`${resource.name}.${attribute.name} has to reserve ${word}`);
}
