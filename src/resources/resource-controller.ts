import { Get, Inject, Param, Req, Res, type Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ListRequest } from '../listing/list-request.js';
import { setPagingHeaders } from '../listing/paging-headers.js';
import { AnyParameters } from '../negotiation/content.guard.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { type AttributeDescription, describeAttributes } from './describe-attributes.js';
import { setETag } from './etag.js';
import { ListOf } from './list-of.decorator.js';
import { ResourceReader } from './resource-reader.js';
import type { Resource } from './resource.js';

type Representation = Record<string, unknown>;

/** What every resource's controller can do. */
export interface ResourceController {
  reader: ResourceReader;
  list(
    request: Request,
    response: Response,
    caller: Caller,
    list: ListRequest,
  ): Promise<Representation[]>;
  describe(caller: Caller): AttributeDescription[];
  get(caller: Caller, id: string, response: Response): Promise<Representation>;
}

/**
 * The routes that all resources share (decisions: Resources of the main API). A controller extends
 * the class that this makes; routes of its own win over `:id`.
 */
export function resourceController(resource: Resource): Type<ResourceController> {
  class Controller implements ResourceController {
    @Inject(ResourceReader) reader!: ResourceReader;

    @Get()
    @AnyParameters()
    async list(
      @Req() request: Request,
      @Res({ passthrough: true }) response: Response,
      @CurrentCaller() caller: Caller,
      @ListOf(resource) list: ListRequest,
    ): Promise<Representation[]> {
      const { items, facts } = await this.reader.list(resource, caller, list);
      setPagingHeaders(request, response, list, facts);
      return items;
    }

    /** Stands before `:id`, which would otherwise take its path. */
    @Get('attributes')
    describe(@CurrentCaller() caller: Caller): AttributeDescription[] {
      return describeAttributes(resource, caller);
    }

    @Get(':id')
    async get(
      @CurrentCaller() caller: Caller,
      @Param('id') id: string,
      @Res({ passthrough: true }) response: Response,
    ): Promise<Representation> {
      const { representation, revision } = await this.reader.get(resource, caller, id);
      setETag(response, revision);
      return representation;
    }
  }
  return Controller;
}
