import { IsOptional } from 'class-validator';
import { satisfies } from '../http/class-validation.js';
import { reason } from '../errors/reason.js';

const isObject = satisfies((value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : reason('not-an-object'),
);

const isText = satisfies((value) => (typeof value === 'string' ? undefined : reason('not-a-text')));

/** `POST /process/tiles`: two bodies, each checked like the body of a POST of its own. */
export class TileDto {
  @isObject
  application!: Record<string, unknown>;

  /** Without `application`, which the server sets. */
  @isObject
  view!: Record<string, unknown>;
}

/** `PUT /process/tiles/{id}`: two bodies, each checked like the body of a PUT of its own, or a POST of a new view. */
export class ChangedTileDto extends TileDto {
  /** The ETag under which the view was read: If-Match is that of the application. */
  @IsOptional()
  @isText
  viewETag: string | null = null;
}
