import { createHash } from 'node:crypto';
import { Controller, Get, Res, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Response } from 'express';
import { ApiOperation } from './api-operation.decorator.js';
import { Config } from '../../base/config/config.js';
import { GetRevalidated } from '../../http/etag.js';
import { type PreparedJson, zippedJson } from '../../http/prepared-json.js';
import { Produces } from '../../http/request-format.guard.js';
import { Public } from '../../security/permission.guard.js';
import { buildDocument } from './document.js';
import { text } from './schemas.js';
import { REFERENCE_STYLE, renderReference } from './reference-page.js';

const STYLE_DIGEST = createHash('sha256').update(REFERENCE_STYLE).digest('base64');

/** Serves the API description, generated from the code, for programs and for people. */
@Controller('api/v2')
@Public()
export class OpenApiController {
  private made: Record<string, unknown> | undefined;
  private prepared: PreparedJson | undefined;
  private reference: Buffer | undefined;

  constructor(
    private readonly config: Config,
    private readonly discovery: DiscoveryService,
  ) {}

  @ApiOperation({
    operationId: 'getOpenApi',
    tag: 'Service',
    summary: 'Get this OpenAPI description',
    answer: { type: 'object' },
    hasETag: true,
  })
  @GetRevalidated('openapi.json')
  json(): PreparedJson {
    return (this.prepared ??= zippedJson(this.description()));
  }

  @ApiOperation({
    operationId: 'getReference',
    tag: 'Service',
    summary: 'Get this description as a web page',
    answer: text,
    answerType: 'text/html',
  })
  @Get('reference')
  @Produces('text/html')
  page(@Res() response: Response): void {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    );
    response.end((this.reference ??= Buffer.from(renderReference(this.description()))));
  }

  private description(): Record<string, unknown> {
    const controllers = this.discovery.getControllers().map(({ metatype }) => metatype as Type);
    return (this.made ??= buildDocument(this.config.env.BASE_PATH, controllers));
  }
}
