import { All, Controller, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request } from 'express';
import { methodNotAllowed, notFound } from '../errors/api-errors.js';
import { AnyContent } from '../http/request-format.guard.js';
import { Public } from '../security/roles.guard.js';

/** A layer of Express's router. */
interface RouteLayer {
  route?: { path: string; methods: Record<string, boolean> };
  match(path: string): boolean;
}

const EVERYTHING = '/*splat';

/** Answers unmatched requests: 405 with Allow when the path has other methods, else 404. */
@Controller()
@Public()
@AnyContent()
export class UnknownRouteController {
  constructor(private readonly host: HttpAdapterHost) {}

  @All('*splat')
  refuse(@Req() request: Request): never {
    const methods = this.methodsOf(request.path);
    throw methods.length > 0 ? methodNotAllowed(methods) : notFound();
  }

  private methodsOf(path: string): string[] {
    const express = this.host.httpAdapter.getInstance<Express>();
    const layers = express.router.stack as unknown as RouteLayer[];
    const methods = layers
      .filter(({ route }) => route !== undefined && route.path !== EVERYTHING)
      .filter((layer) => layer.match(path))
      .flatMap(({ route }) => Object.keys(route!.methods).map((method) => method.toUpperCase()));
    return [
      ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    ];
  }
}
