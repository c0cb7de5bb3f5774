import { Controller, Delete, Get, HttpCode, Param, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { binary } from '../resources/openapi/schemas.js';
import { Config } from '../base/config/config.js';
import { invalidField, notFound } from '../base/errors/api-errors.js';
import { AnyAccept } from '../http/request-format.guard.js';
import { ResourceReader } from '../resources/resource-reader.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { Access } from '../security/access.guard.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { managesAccount } from './manages-account.js';
import { sendImage } from './send-image.js';
import { PhotosService } from './photos.service.js';
import { users } from './user.resource.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import { reason } from '../base/errors/reason.js';

/** A user's photo. It accepts JPEG, PNG and WebP, and always returns WebP. */
@Controller('api/v2/directory/users/:id/photo')
@namesInPath({ id: users })
export class UserPhotoController {
  constructor(
    readonly reader: ResourceReader,
    private readonly photos: PhotosService,
    private readonly config: Config,
  ) {}

  @ApiOperation({
    operationId: 'getPhoto',
    tag: 'Users',
    summary: 'Get the photo of a user',
    answer: binary,
    answerType: 'image/webp',
    hasETag: true,
  })
  @Get()
  @AnyAccept()
  async get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.reader.get(users, caller, id);
    const photo = await this.photos.find(id);
    if (!photo) throw notFound();
    sendImage(request, response, this.config, photo);
  }

  @ApiOperation({
    operationId: 'replacePhoto',
    tag: 'Users',
    summary: 'Store a photo of up to 2 MiB',
    body: binary,
    errors: [409],
  })
  @Put()
  @Access(managesAccount('users:change'))
  @HttpCode(204)
  async store(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<void> {
    if (!Buffer.isBuffer(request.body) || request.body.length === 0)
      throw invalidField('body', reason('empty'));
    await this.photos.store(id, request.body, auditContext);
  }

  @ApiOperation({
    operationId: 'deletePhoto',
    tag: 'Users',
    summary: 'Delete the photo of a user',
    errors: [409],
  })
  @Delete()
  @Access(managesAccount('users:change'))
  @HttpCode(204)
  async delete(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    await this.photos.delete(id, auditContext);
  }
}
