export { slug } from "./rules/slug.ts";
