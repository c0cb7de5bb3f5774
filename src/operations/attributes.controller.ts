import { Controller, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { audit } from '../administration/audit.resource.js';
import { GetRevalidated } from '../http/etag.js';
import { type PreparedJson, zippedJson } from '../http/prepared-json.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { ATTRIBUTE_DESCRIPTION, listOf } from '../resources/openapi/schemas.js';
import {
  type AttributeDescription,
  describeAttributes,
} from '../resources/attributes/describe-attributes.js';
import { servedBy } from '../resources/http/resource.controller.js';
import { type Caller, CurrentCaller } from '../security/caller.js';

/** The attributes of all resources at once, for clients that make forms and lists from them. */
@Controller('api/v2/attributes')
export class AttributesController {
  /** The answers by the shape of the rights. */
  private readonly prepared = new Map<string, PreparedJson>();

  constructor(private readonly discovery: DiscoveryService) {}

  @ApiOperation({
    operationId: 'listAttributes',
    tag: 'Service',
    summary: 'Describe the attributes of every resource, by the name of the resource',
    answer: { type: 'object', additionalProperties: listOf(ATTRIBUTE_DESCRIPTION) },
    hasETag: true,
  })
  @GetRevalidated()
  describe(@CurrentCaller() caller: Caller): PreparedJson {
    const { shape } = caller.rights;
    let prepared = this.prepared.get(shape);
    if (!prepared) this.prepared.set(shape, (prepared = zippedJson(this.describeTo(caller))));
    return prepared;
  }

  private describeTo(caller: Caller): Record<string, AttributeDescription[]> {
    const controllers = this.discovery.getControllers().map(({ metatype }) => metatype as Type);
    const resources = servedBy(controllers).filter(
      (resource) => resource !== audit || caller.rights.permits('audit:read'),
    );
    return Object.fromEntries(
      resources.map((resource) => [resource.name, describeAttributes(resource, caller)]),
    );
  }
}
