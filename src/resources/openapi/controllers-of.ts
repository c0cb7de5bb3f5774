import type { DynamicModule, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';

type Module = Type | DynamicModule;

/** The controllers of a module and of all that it imports, each once, without starting an application. */
export function controllersOf(module: Module, seen = new Set<Type>()): Type[] {
  const { module: type, ...dynamic }: DynamicModule =
    typeof module === 'function' ? { module } : module;
  if (seen.has(type)) return [];
  seen.add(type);
  const fixed = <T>(key: string) => (Reflect.getMetadata(key, type) ?? []) as T[];
  const controllers = [...(dynamic.controllers ?? []), ...fixed<Type>(MODULE_METADATA.CONTROLLERS)];
  const imports = [...(dynamic.imports ?? []), ...fixed<Module>(MODULE_METADATA.IMPORTS)];
  return [...controllers, ...imports.flatMap((one) => controllersOf(one as Module, seen))];
}
