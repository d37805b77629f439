use std::collections::{BTreeSet, HashMap};

use sqlx::{AssertSqlSafe, Row};

use super::rows::{pieces, placeholders};
use super::{Dialect, ProjectId, Result, Store, Writing};

/// A report that was not analysed yet.
#[derive(Clone, Debug)]
pub struct Pending {
    pub project: ProjectId,
    pub id: String,
    /// The id of the key that it came with.
    pub key: String,
    pub received_at: i64,
    pub body: String,
}

impl Store {
    /// Takes the oldest reports out of the inbox, in a transaction that others do not see: if it is not committed they are still
    /// there. Nobody else analyses the projects of these reports until it ends.
    pub async fn take_pending(&self, limit: i64) -> Result<Option<(Writing, Vec<Pending>)>> {
        // Looking first costs no right to write where there is nothing to do.
        if sqlx::query("SELECT seq FROM inbox LIMIT 1").fetch_optional(&self.pool).await?.is_none() {
            return Ok(None);
        }
        let mut writing = self.begin().await?;
        let connection = &mut *writing.transaction;
        let taking = match self.dialect {
            Dialect::Sqlite => {
                "DELETE FROM inbox WHERE seq IN (SELECT seq FROM inbox ORDER BY seq LIMIT $1) RETURNING seq, project, report"
            }
            Dialect::Postgres => {
                "DELETE FROM inbox WHERE seq IN (SELECT seq FROM inbox ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED) \
                 RETURNING seq, project, report"
            }
        };
        let mut taken: Vec<(i64, ProjectId, String)> = Vec::new();
        for row in sqlx::query(taking).bind(limit).fetch_all(&mut *connection).await? {
            taken.push((row.try_get(0)?, ProjectId(row.try_get(1)?), row.try_get(2)?));
        }
        taken.sort_unstable();
        let projects: BTreeSet<ProjectId> = taken.iter().map(|(_, project, _)| *project).collect();
        for project in projects {
            // In the order of their numbers, so that two who lock several never wait for each other.
            writing.lock_project(self.dialect, project).await?;
        }
        let pending = writing.bodies(&taken).await?;
        Ok(Some((writing, pending)))
    }
}

impl Writing {
    /// The reports in the order of the list.
    async fn bodies(&mut self, taken: &[(i64, ProjectId, String)]) -> Result<Vec<Pending>> {
        let mut found = HashMap::with_capacity(taken.len());
        for piece in pieces(taken) {
            let text = format!(
                "SELECT project, id, received_at, body, sender FROM reports WHERE id IN {}",
                placeholders(1, piece.len(), 1)
            );
            let mut query = sqlx::query(AssertSqlSafe(text));
            for (_, _, report) in piece {
                query = query.bind(report.clone());
            }
            for row in query.fetch_all(&mut *self.transaction).await? {
                let (project, id): (_, String) = (ProjectId(row.try_get(0)?), row.try_get(1)?);
                let pending = Pending {
                    project,
                    id: id.clone(),
                    key: row.try_get(4)?,
                    received_at: row.try_get(2)?,
                    body: row.try_get(3)?,
                };
                found.insert((project, id), pending);
            }
        }
        // Other projects may have reports with the same ids.
        Ok(taken.iter().filter_map(|(_, project, report)| found.remove(&(*project, report.clone()))).collect())
    }
}
