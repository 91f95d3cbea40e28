-- What a run is asked for and may stay as it is: who said so, why and when, as JSON by what is asked.

alter table runs add column dismissed text
