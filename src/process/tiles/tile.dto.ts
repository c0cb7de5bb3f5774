import { IsOptional } from 'class-validator';
import { satisfies } from '../../base/validation/class-validation.js';
import { reason } from '../../base/errors/reason.js';
import { bodySchema, putSchema } from '../../resources/openapi/resource-schemas.js';
import { text } from '../../resources/openapi/schemas.js';
import { applications } from '../applications/application.resource.js';
import { views } from './view.resource.js';

const object = (schema: object): PropertyDecorator =>
  satisfies(
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? undefined
        : reason('not-an-object'),
    schema,
  );

const APPLICATION = bodySchema(applications, { name: 'TileApplication', without: ['view'] });
const VIEW = bodySchema(views, { name: 'TileView', without: ['application'] });

/** `POST /process/tiles`: two bodies, each checked like the body of a POST of its own. */
export class TileDto {
  @object(APPLICATION)
  application!: Record<string, unknown>;

  /** Without `application`, which the server sets. */
  @object(VIEW)
  view!: Record<string, unknown>;
}

/** `PUT /process/tiles/{id}`: two bodies, each checked like the body of a PUT of its own, or a POST of a new view. */
export class ChangedTileDto {
  @object(putSchema(applications, APPLICATION))
  application!: Record<string, unknown>;

  /** One with an id is replaced. */
  @object({ allOf: [VIEW, { properties: { id: text } }] })
  view!: Record<string, unknown>;

  /** The ETag under which the view was read: If-Match is that of the application. */
  @IsOptional()
  @satisfies((value) => (typeof value === 'string' ? undefined : reason('not-a-text')), text)
  viewETag: string | null = null;
}
