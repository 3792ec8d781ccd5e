#!/bin/sh
# Runs once, on an empty volume of `compose.yaml`: the role of the servers owns their database and is not a superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username="$POSTGRES_USER" <<'SQL'
create role attestry login createrole password :'password';
create database attestry owner attestry;
SQL
