var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Body, Delete, Get, Headers, HttpCode, Inject, Param, Patch, Post, Put, Res, } from '@nestjs/common';
import { Config } from '../config/config.js';
import { AnyParameters } from '../negotiation/content.guard.js';
import { CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { describeAttributes } from './describe-attributes.js';
import { setETag } from './etag.js';
import { answerList, ListOf } from './list-of.decorator.js';
import { ResourceReader } from './resource-reader.js';
import { ResourceWriter } from './resource-writer.js';
import { uriOf } from './uri.js';
const bases = new Map();
/** The controller of a resource among the instances of an application. */
export function controllerOf(resource, instances) {
    const base = bases.get(resource);
    return base && instances.find((instance) => instance instanceof base);
}
/**
 * The routes that all resources share (decisions: Resources of the main API). A controller extends
 * the class that this makes; routes of its own win over `:id`. Who may write is decided with the
 * row, by the writer: an owner may, where a stranger may not.
 */
export function resourceController(resource) {
    class Controller {
        reader;
        writer;
        config;
        rules = {};
        list(call) {
            return answerList(this.reader, resource, call);
        }
        /** Stands before `:id`, which would otherwise take its path. */
        describe(caller) {
            return describeAttributes(resource, caller);
        }
        async get(caller, id, response) {
            return show(await this.reader.get(resource, caller, id), response);
        }
        async create(caller, origin, body, response) {
            const created = await this.writer.create(this.change(caller, origin), body);
            const uri = uriOf(resource.ref.uri, created.representation.id);
            response.setHeader('Location', `${this.config.env.BASE_PATH}/api/v2${uri}`);
            return show(created, response);
        }
        async replace(caller, origin, id, body, ifMatch, response) {
            const change = this.change(caller, origin, ifMatch);
            return show(await this.writer.replace(change, id, body), response);
        }
        async patch(caller, origin, id, body, ifMatch, response) {
            const change = this.change(caller, origin, ifMatch);
            return show(await this.writer.patch(change, id, body), response);
        }
        async delete(caller, origin, id, ifMatch) {
            await this.writer.delete(this.change(caller, origin, ifMatch), id);
        }
        change(caller, origin, ifMatch) {
            return { resource, rules: this.rules, caller, origin, ifMatch };
        }
    }
    __decorate([
        Inject(ResourceReader),
        __metadata("design:type", ResourceReader)
    ], Controller.prototype, "reader", void 0);
    __decorate([
        Inject(ResourceWriter),
        __metadata("design:type", ResourceWriter)
    ], Controller.prototype, "writer", void 0);
    __decorate([
        Inject(Config),
        __metadata("design:type", Config)
    ], Controller.prototype, "config", void 0);
    __decorate([
        Get(),
        AnyParameters(),
        __param(0, ListOf(resource)),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object]),
        __metadata("design:returntype", Promise)
    ], Controller.prototype, "list", null);
    __decorate([
        Get('attributes'),
        __param(0, CurrentCaller()),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object]),
        __metadata("design:returntype", Array)
    ], Controller.prototype, "describe", null);
    __decorate([
        Get(':id'),
        __param(0, CurrentCaller()),
        __param(1, Param('id')),
        __param(2, Res({ passthrough: true })),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String, Object]),
        __metadata("design:returntype", Promise)
    ], Controller.prototype, "get", null);
    __decorate([
        Post(),
        __param(0, CurrentCaller()),
        __param(1, RequestOrigin()),
        __param(2, Body()),
        __param(3, Res({ passthrough: true })),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, Object, Object, Object]),
        __metadata("design:returntype", Promise)
    ], Controller.prototype, "create", null);
    __decorate([
        Put(':id'),
        __param(0, CurrentCaller()),
        __param(1, RequestOrigin()),
        __param(2, Param('id')),
        __param(3, Body()),
        __param(4, Headers('if-match')),
        __param(5, Res({ passthrough: true })),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, Object, String, Object, Object, Object]),
        __metadata("design:returntype", Promise)
    ], Controller.prototype, "replace", null);
    __decorate([
        Patch(':id'),
        __param(0, CurrentCaller()),
        __param(1, RequestOrigin()),
        __param(2, Param('id')),
        __param(3, Body()),
        __param(4, Headers('if-match')),
        __param(5, Res({ passthrough: true })),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, Object, String, Object, Object, Object]),
        __metadata("design:returntype", Promise)
    ], Controller.prototype, "patch", null);
    __decorate([
        Delete(':id'),
        HttpCode(204),
        __param(0, CurrentCaller()),
        __param(1, RequestOrigin()),
        __param(2, Param('id')),
        __param(3, Headers('if-match')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, Object, String, Object]),
        __metadata("design:returntype", Promise)
    ], Controller.prototype, "delete", null);
    bases.set(resource, Controller);
    return Controller;
}
function show({ representation, revision }, response) {
    setETag(response, revision);
    return representation;
}
//# sourceMappingURL=resource-controller.js.map