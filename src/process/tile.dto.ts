import { IsOptional } from 'class-validator';
import { satisfies } from '../http/class-validation.js';

const isObject = satisfies((value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : 'must be a JSON object',
);

const isText = satisfies((value) => (typeof value === 'string' ? undefined : 'must be a string'));

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
