import { All, Controller, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { methodNotAllowed, notFound } from '../base/errors/api-errors.js';
import type { ExpressJsonAdapter } from '../http/express-adapter.js';
import { AnyContent } from '../http/request-format.guard.js';
import { routeFacts } from '../http/route-facts.js';
import { Public } from '../security/permission.guard.js';

/**
 * Answers unmatched requests of a path that has other methods: OPTIONS with 204 (RFC 9110 section 9.3.7), any other method with 405, both
 * with Allow. An unknown path is a 404.
 */
@Controller()
@Public()
@AnyContent()
export class UnknownRouteController {
  constructor(private readonly host: HttpAdapterHost) {}

  @All('*splat')
  answer(@Req() request: Request, @Res({ passthrough: true }) response: Response): void {
    const methods = this.methodsOf(request.path);
    if (methods.length === 0) throw notFound();
    if (request.method !== 'OPTIONS') throw methodNotAllowed(methods);
    response.status(204).setHeader('Allow', methods.join(', '));
    // RFC 5789 section 3.1
    if (methods.includes('PATCH')) {
      const { mediaTypes } = routeFacts('PATCH', request.path, '').body;
      response.setHeader('Accept-Patch', mediaTypes.join(', '));
    }
  }

  private methodsOf(path: string): string[] {
    const { routes } = this.host.httpAdapter as ExpressJsonAdapter;
    const methods = routes.layers
      .filter((layer) => layer.match(path))
      .flatMap(({ route }) => Object.keys(route.methods).map((method) => method.toUpperCase()));
    return [
      ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    ];
  }
}
