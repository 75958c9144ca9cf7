//! Several requests at once.

use serde_json::{Value, json};

use super::{Answer, Client, Wire};

impl Client<'_> {
    /// Sends a request several times without waiting in between, and then waits for all answers.
    pub(crate) fn request_together(&mut self, method: &str, times: usize) -> Vec<Answer> {
        let messages: Vec<(i64, Value)> = (0..times)
            .map(|_| {
                let id = self.next_id();
                let params = self.with_meta(json!({}));
                self.attribution.expect(id, None);
                let message =
                    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
                (id, message)
            })
            .collect();
        let sent = if self.is_http() {
            self.post_together(&messages)
        } else {
            messages
                .iter()
                .map(|(_, message)| self.send(message.to_string().into_bytes()))
                .collect()
        };
        messages
            .iter()
            .zip(sent)
            .map(|((id, _), (sent, exchange))| self.answer(*id, sent, exchange))
            .collect()
    }

    fn post_together(&mut self, messages: &[(i64, Value)]) -> Vec<(usize, Option<i64>)> {
        let posts = messages
            .iter()
            .map(|(_, message)| (self.headers(message), message.to_string().into_bytes()))
            .collect();
        let begun = self.begun.elapsed();
        let patience = self.patience();
        let Wire::Http(client) = &mut self.wire else {
            return Vec::new();
        };
        client.set_patience(patience);
        let exchanges = client.post_together(posts);
        let mut sent = Vec::new();
        let mut responses = Vec::new();
        for exchange in exchanges {
            let at = self.note(exchange.request, begun);
            let number = self.records[at].exchange();
            self.attribution.sent_on(number);
            sent.push((at, number.filter(|_| !self.two_endpoints)));
            responses.push((exchange.response, exchange.is_cut));
        }
        for (response, is_cut) in responses {
            self.take_response(response, is_cut);
        }
        sent
    }
}
