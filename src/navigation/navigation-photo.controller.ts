import { createHash } from 'node:crypto';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { binary } from '../resources/openapi/schemas.js';
import { Config } from '../base/config/config.js';
import { sendImage } from '../directory/send-image.js';
import { PhotosService } from '../directory/photos.service.js';
import { users } from '../directory/user.resource.js';
import { AnyAccept, AnyParameters } from '../http/request-format.guard.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { drawInitials } from './initials-avatar.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/** A user's picture. It takes the token from the query, because `<img>` cannot send headers. */
@Controller('navigation/directory/users/:id/photo')
@namesInPath({ id: users })
export class NavigationPhotoController {
  constructor(
    private readonly photos: PhotosService,
    private readonly reader: ResourceReader,
    private readonly config: Config,
  ) {}

  @ApiOperation({
    operationId: 'getPicture',
    tag: 'Navigation',
    summary: 'Get the photo of a user, or a drawing of the initials',
    answer: binary,
    answerType: 'image/*',
    hasETag: true,
  })
  @Get()
  @AnyParameters()
  @AnyAccept()
  async photo(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { representation } = await this.reader.get(users, caller, id);
    const photo = await this.photos.find(id);
    sendImage(
      request,
      response,
      this.config,
      photo ?? initialsOf(String(representation.title), id),
    );
  }
}

function initialsOf(title: string, id: string) {
  const content = drawInitials(title, id);
  const digest = createHash('sha256').update(content).digest('hex');
  return { content, mediaType: 'image/svg+xml', digest };
}
