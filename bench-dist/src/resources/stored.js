var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Column, PrimaryGeneratedColumn } from 'typeorm';
/** What the machine keeps of every row that it writes. */
export class Written {
    /** Counts what was written; the ETag names it. */
    revision;
    creationDate;
    modificationDate;
}
__decorate([
    Column({ type: 'integer', default: 1 }),
    __metadata("design:type", Number)
], Written.prototype, "revision", void 0);
__decorate([
    Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }),
    __metadata("design:type", Date)
], Written.prototype, "creationDate", void 0);
__decorate([
    Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }),
    __metadata("design:type", Date)
], Written.prototype, "modificationDate", void 0);
/** The columns that a resource's table has. */
export class Stored extends Written {
    id;
}
__decorate([
    PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }),
    __metadata("design:type", String)
], Stored.prototype, "id", void 0);
//# sourceMappingURL=stored.js.map