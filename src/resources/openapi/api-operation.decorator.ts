import { SetMetadata } from '@nestjs/common';
import type { Resource } from '../resource.js';
import type { Component, Json, Schema } from './component.js';

/** The facts about an operation that the route's own decorators do not state (resources/openapi/route.ts). */
export interface OperationDescription {
  /** Verb and noun in camelCase, e.g. `listUsers`; generated clients name their method after it. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Query and header parameters; those of the path follow from the route. */
  parameters?: (Json | Component)[];
  /** Schema of the body, where it is no `@Body(FixedBodyPipe)`, whose class describes it. */
  body?: Schema;
  /** Schema of a line of the body, where it may also come without an end (http/route-facts.ts). */
  bodyLine?: Schema;
  /** Schema of the body on success; without one the answer has no body. */
  answer?: Schema;
  /** Media type of the answer; JSON by default. */
  answerType?: string;
  /** The schemas of further media types, among which the Accept header chooses. */
  otherAnswers?: Record<string, Schema>;
  /** The resource whose page it answers, instead of `answer`. */
  lists?: Resource;
  /** It answers a page of a list that takes no parameter but `range`. */
  isPaged?: boolean;
  /** Its answer has an ETag; a GET of a picture or a file then also answers 304 to If-None-Match. */
  hasETag?: boolean;
  /** It compares If-Match and If-None-Match with the object's ETag. */
  isConditional?: boolean;
  /** Its answer names the created object in Location. */
  hasLocation?: boolean;
  /** What the header X-Warning of its answer says; undefined when it never has one. */
  warning?: string;
  /** Its answer can set or delete the cookie of a browser session. */
  setsCookie?: boolean;
  /** The cookie of a browser session takes the place of a token. */
  takesCookie?: boolean;
  /** Its answer names the part of the header Prefer that it took; lists always do. */
  appliesPreference?: boolean;
  /** It also accepts an ID token of the identity provider in place of a body. */
  takesBearer?: boolean;
  /** Error statuses that do not follow from the route (resources/openapi/error-statuses.ts). */
  errors?: number[];
}

/** Metadata key of a route's description. */
export const API_OPERATION = 'apiOperation';

/** Describes a route in `GET /api/v2/openapi.json`. */
export const ApiOperation = (description: OperationDescription): MethodDecorator =>
  SetMetadata(API_OPERATION, description);
