-- What the verdict said when a person decided, beside why they did: scores change later, the decision does not.

alter table promotions add column verdict text
