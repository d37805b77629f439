use std::collections::{BTreeMap, BTreeSet};

use sqlx::{AssertSqlSafe, Row};

use super::rows::{pieces, placeholders};
use super::{ProjectId, Result, Store, Writing};
use crate::wire::BugId;

impl Store {
    /// Notes that these users are there.
    pub async fn note_cohorts(&self, project: ProjectId, cohorts: &[u16], now: i64) -> Result<()> {
        let mut writing = self.begin().await?;
        if !writing.hold_project(self.dialect, project).await? {
            return Ok(());
        }
        for piece in pieces(cohorts) {
            let text = format!(
                "INSERT INTO cohorts (project, cohort, seen_at) VALUES {} \
                 ON CONFLICT (project, cohort) DO UPDATE SET seen_at = excluded.seen_at",
                placeholders(piece.len(), 3, 1)
            );
            let mut query = sqlx::query(AssertSqlSafe(text));
            for cohort in piece {
                query = query.bind(project.0).bind(i64::from(*cohort)).bind(now);
            }
            query.execute(&mut *writing.transaction).await?;
        }
        writing.commit().await
    }

    /// The users who were there since then.
    pub async fn cohorts_since(&self, project: ProjectId, time: i64) -> Result<BTreeSet<u16>> {
        let rows = sqlx::query("SELECT cohort FROM cohorts WHERE project = $1 AND seen_at >= $2")
            .bind(project.0)
            .bind(time)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(|row| Ok(row.try_get::<i64, _>(0)? as u16)).collect()
    }

    /// By bug, the users who met it.
    pub async fn meetings(&self, project: ProjectId, bugs: &[BugId]) -> Result<BTreeMap<BugId, BTreeSet<u16>>> {
        let mut meetings = BTreeMap::new();
        for bug in bugs {
            let rows = sqlx::query("SELECT cohort FROM meetings WHERE project = $1 AND bug = $2")
                .bind(project.0)
                .bind(bug.to_string())
                .fetch_all(&self.pool)
                .await?;
            let cohorts: Result<BTreeSet<u16>> = rows.iter().map(|row| Ok(row.try_get::<i64, _>(0)? as u16)).collect();
            meetings.insert(bug.clone(), cohorts?);
        }
        Ok(meetings)
    }
}

impl Writing {
    pub async fn note_meetings(&mut self, project: ProjectId, met: &[(BugId, u16)]) -> Result<()> {
        for piece in pieces(met) {
            let text = format!(
                "INSERT INTO meetings (project, bug, cohort) VALUES {} ON CONFLICT DO NOTHING",
                placeholders(piece.len(), 3, 1)
            );
            let mut query = sqlx::query(AssertSqlSafe(text));
            for (bug, cohort) in piece {
                query = query.bind(project.0).bind(bug.to_string()).bind(i64::from(*cohort));
            }
            query.execute(&mut *self.transaction).await?;
        }
        Ok(())
    }
}
